const KEPT =
  /^(PATH|TMPDIR|JAVA_HOME|CHROMIUM|SCREENSHOTS|NODE_COMPILE_CACHE|JEST_WORKER_ID|(EVENTS_)?TEST_.*)$/

/** For the reasons, see tests/README.md, "One environment". */
const DEFINED = {
  TZ: 'Asia/Kolkata',
  LANG: 'tr_TR.UTF-8',
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/**
 * Removes the environment variables of the machine, the terminal, npm and jest, and sets those in `DEFINED`. Child
 * processes inherit this environment.
 */
export function defineEnvironment() {
  for (const name of Object.keys(process.env)) if (!KEPT.test(name)) delete process.env[name]
  Object.assign(process.env, DEFINED)
}

// Jest preloads this file in all its processes. The main process prints the results, so it keeps its environment until
// `global-setup.js` runs.
if (process.env.JEST_WORKER_ID !== undefined) defineEnvironment()
