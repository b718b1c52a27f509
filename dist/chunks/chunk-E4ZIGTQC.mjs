#!/usr/bin/env node


var DEFAULT_DISCLOSURE_TRAILER="Assisted-by",DEFAULT_EXEMPT_BOTS=[{login:"dependabot[bot]",id:49699333},{login:"renovate[bot]",id:29139614}];export{DEFAULT_DISCLOSURE_TRAILER,DEFAULT_EXEMPT_BOTS};
//# sourceMappingURL=chunk-E4ZIGTQC.mjs.map
