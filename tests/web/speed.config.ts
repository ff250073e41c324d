/* What is measured in milliseconds: one story at a time, on the first of the stories' phones. */
import stories from "./playwright.config";

export default { ...stories, testDir: "speed", workers: 1, projects: stories.projects?.slice(0, 1) };
