#!/usr/bin/env node


import"./chunks/chunk-T45B52TR.mjs";import{version}from"./chunks/chunk-PBDAHSXT.mjs";                                    var RUNS_OTHERS=["check","evaluate"],[first,...rest]=process.argv.slice(2);if((first==="--version"||first==="-V")&&rest.length===0)process.stdout.write(`${version()}
`);else{for(let stream of[process.stdout,process.stderr])stream.on("error",error=>{error.code==="EPIPE"&&process.exit(process.exitCode??0),process.stderr.write(`CS1201 Output cannot be written (${error.code??error.message}). Free space, or write elsewhere.
`),process.exit(1)});let{main}=await import("./chunks/program-Q5RT7CNW.mjs");process.exitCode=await main(process.argv.slice(2));let signal=RUNS_OTHERS.includes(first??"")?(await import("./chunks/interrupts-RMZE55O4.mjs")).interruption():void 0;signal!==void 0&&process.kill(process.pid,signal)}
//# sourceMappingURL=cli.mjs.map
