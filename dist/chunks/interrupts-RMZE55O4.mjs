#!/usr/bin/env node


import{holdingInterrupts,interruption,onInsisting}from"./chunk-ZYJ3NBTN.mjs";import"./chunk-66VJJU42.mjs";export{holdingInterrupts,interruption,onInsisting};
//# sourceMappingURL=interrupts-RMZE55O4.mjs.map
