import { expect } from "chai";
import { actionSentence, listPath, nounOf, withArticle } from "../../generators/scaffolds/names.js";

describe("names of scaffolds in words", () => {
  it("say one record of what is named in the plural", () => {
    const nouns = [
      "Employees",
      "Employee",
      "Companies",
      "Ties",
      "Boxes",
      "Dishes",
      "Classes",
      "Status",
      "PCO",
    ];
    expect(nouns.map(nounOf)).to.deep.equal([
      "employee",
      "employee",
      "company",
      "tie",
      "box",
      "dish",
      "class",
      "status",
      "PCO",
    ]);
    expect(nounOf("PurchaseOrders")).to.equal("purchase order");
    expect(nounOf("Analysis")).to.equal("analysis");
  });

  it("have the article by which they are spoken", () => {
    const nouns = ["employee", "user", "unit", "hour", "one-time password", "PCO", "RFI", "uninvited guest"];
    expect(nouns.map((noun) => withArticle(noun).split(" ")[0])).to.deep.equal([
      "an",
      "a",
      "a",
      "an",
      "a",
      "a",
      "an",
      "an",
    ]);
  });

  it("stand in the plural in the path of a list", () => {
    const paths = ["employee", "employees", "company", "day", "box", "dish", "tax"];
    expect(paths.map(listPath)).to.deep.equal([
      "employees",
      "employees",
      "companies",
      "days",
      "boxes",
      "dishes",
      "taxes",
    ]);
  });

  it("make the sentence of an action", () => {
    expect(actionSentence("Create", "Employee")).to.equal("Creates an employee in the target system.");
    expect(actionSentence("Apply", "Orders")).to.equal("Applies an order in the target system.");
    expect(actionSentence("Play", "Video")).to.equal("Plays a video in the target system.");
    expect(actionSentence("Publish", "Video")).to.equal("Publishes a video in the target system.");
    expect(actionSentence("UpdateStatus", "User")).to.equal("Updates status of a user in the target system.");
  });
});
