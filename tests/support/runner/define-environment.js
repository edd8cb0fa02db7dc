/** What a run is told by who starts it, and where programs are found. */
const KEPT =
  /^(PATH|TMPDIR|JAVA_HOME|CHROMIUM|SCREENSHOTS|NODE_COMPILE_CACHE|JEST_WORKER_ID|(EVENTS_)?TEST_.*)$/

/**
 * A zone with half hours and a language whose capital I has a dot: code that depends on either fails on every machine,
 * not only in Kolkata or Ankara. Nobody's home folder, no colours, no terminal, no AWS account.
 */
const DEFINED = {
  TZ: 'Asia/Kolkata',
  LANG: 'tr_TR.UTF-8',
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/**
 * Gives this process the environment that tests run in, and with it every process that they start. What the machine,
 * the terminal, npm or jest add to an environment is left out.
 */
export function defineEnvironment() {
  for (const name of Object.keys(process.env)) if (!KEPT.test(name)) delete process.env[name]
  Object.assign(process.env, DEFINED)
}

// Preloaded in each of jest's processes. The first one prints, and so keeps its own until `global-setup.js`.
if (process.env.JEST_WORKER_ID !== undefined) defineEnvironment()
