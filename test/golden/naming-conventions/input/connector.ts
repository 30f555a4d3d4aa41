/** Names in code become serialized names: camelCase by default, by convention where one is given, as spelled out. */
import { defineConnector, defineModule } from "connectorcli";
import * as objects from "./objects.js";

export const connector = defineConnector("Naming", {
  key: "naming",
  description: "The six naming conventions.",
  connections: [],
  modules: [
    defineModule("Conventions", {
      key: "conventions",
      version: 1,
      description: "One data object for each convention.",
      dataObjects: [
        objects.Usual,
        objects.Pascal,
        objects.Kebab,
        objects.UpperKebab,
        objects.Snake,
        objects.UpperSnake,
      ],
      actions: [objects.ReplaceKebab],
    }),
    defineModule("Inherited", {
      key: "inherited",
      version: 1,
      description: "The module's convention reaches its objects; an object's own wins.",
      namingConvention: "snake_case",
      dataObjects: [objects.AsModule, objects.AsItself],
    }),
  ],
});
