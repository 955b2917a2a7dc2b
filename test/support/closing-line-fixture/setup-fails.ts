// A global setup that fails: for the test of the closing line.

export default () => {
  throw new Error('on purpose');
};
