const KEPT =
  /^(PATH|TMPDIR|JAVA_HOME|CHROMIUM|SCREENSHOTS|NODE_COMPILE_CACHE|JEST_WORKER_ID|(EVENTS_)?TEST_.*)$/

/**
 * The time zone's offset includes half an hour, and the language's capital i has a dot. Code that depends on time zone
 * or language therefore fails on every machine, not only in Kolkata or Ankara. The home folder does not exist, and
 * there are no colours, no terminal and no AWS account.
 */
const DEFINED = {
  TZ: 'Asia/Kolkata',
  LANG: 'tr_TR.UTF-8',
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/** Removes the variables of the machine, the terminal, npm and jest, also for all child processes. */
export function defineEnvironment() {
  for (const name of Object.keys(process.env)) if (!KEPT.test(name)) delete process.env[name]
  Object.assign(process.env, DEFINED)
}

// Jest preloads this file in all its processes. The first process prints, so it keeps its environment until
// `global-setup.js`.
if (process.env.JEST_WORKER_ID !== undefined) defineEnvironment()
