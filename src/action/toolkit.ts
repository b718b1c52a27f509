// The toolkit, loaded late: it is not on the way to the first call of the API.
export { debug, error, info, notice, setOutput, summary, warning } from '@actions/core';
