import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { env } from 'node:process'

/**
 * A plugin of the framework: packaging leaves nothing in the machine's temporary folder. serverless-esbuild
 * copies what each zip is to hold there and does not remove it; so it gets a folder that goes with the process.
 */
export default function ownTemporaryFolder() {
  return {
    hooks: {
      'before:package:createDeploymentArtifacts': useOwnFolder,
      'before:deploy:function:packageFunction': useOwnFolder,
    },
  }
}

function useOwnFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), 'packaging-'))
  env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}
