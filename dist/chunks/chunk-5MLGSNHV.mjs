#!/usr/bin/env node


//# sourceMappingURL=chunk-5MLGSNHV.mjs.map
