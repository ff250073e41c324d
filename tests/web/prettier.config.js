/* The same layout as the page's own code. */
export { default } from "../../web/prettier.config.js";
