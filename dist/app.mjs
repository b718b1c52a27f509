#!/usr/bin/env node


var OLDEST=[24,15],[major=0,minor=0]=process.versions.node.split(".").map(Number);(major<OLDEST[0]||major===OLDEST[0]&&minor<OLDEST[1])&&(process.stderr.write(`CS1304 This is Node.js ${process.versions.node}, and the App needs ${OLDEST.join(".")} or newer.
`),process.exit(3));var{main}=await import("./chunks/program-MOUBIHH7.mjs");process.exit(await main(process.argv.slice(2),process.env));
//# sourceMappingURL=app.mjs.map
