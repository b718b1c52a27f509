#!/usr/bin/env node


//# sourceMappingURL=chunk-T45B52TR.mjs.map
