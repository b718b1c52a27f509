/**
 * The commands that need more than documents: configuration, git, other processes. They are loaded when one of them is
 * used, and together, since every file more costs the runtime about as much as the code in it.
 */
export { addCheckCommand } from './check.ts';
export { addDoctorCommand } from './doctor.ts';
export { addEvaluateCommand } from './evaluate.ts';
export { addInitCommand } from './init.ts';
export { addScanCommands } from './scan.ts';
