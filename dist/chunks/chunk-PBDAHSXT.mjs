#!/usr/bin/env node


function version(){return"0.1.0"}export{version};
//# sourceMappingURL=chunk-PBDAHSXT.mjs.map
