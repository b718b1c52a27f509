#!/usr/bin/env node


var SIGNALS=["SIGINT","SIGTERM","SIGHUP"],holders=0,controller=new AbortController,received,insisting=new Set;function onSignal(signal){if(received!==void 0)for(let insist of insisting)insist();received=SIGNALS.find(one=>one===signal)??"SIGTERM",controller.abort()}async function holdingInterrupts(body){if(holders===0)for(let signal of SIGNALS)process.on(signal,onSignal);holders+=1;try{return await body(controller.signal)}finally{if(holders-=1,holders===0){for(let signal of SIGNALS)process.removeListener(signal,onSignal);controller=new AbortController}}}function interruption(){return received}function onInsisting(insist){return insisting.add(insist),()=>{insisting.delete(insist)}}export{holdingInterrupts,interruption,onInsisting};
//# sourceMappingURL=chunk-ZYJ3NBTN.mjs.map
