/* Pictures are taken as the stories are told, on the first of their phones, with two points for one. */
import stories from "./playwright.config";

const [phone] = stories.projects ?? [];

export default {
  ...stories,
  testDir: "pictures",
  projects: [{ ...phone, use: { ...phone?.use, deviceScaleFactor: 2 } }],
};
