/* One way to lay out code, so that no review is about it. */
export default { printWidth: 110 };
