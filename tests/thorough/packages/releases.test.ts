import { type EmulatedStage, startEmulatedStage } from '../../support/programs/emulated-stage.ts'
import { runCommand } from '../../support/programs/run-command.ts'
import { useVariant } from '../../support/programs/stage-variants.ts'

const prod = useVariant('prod')
const [A, B, C, D, E] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd', 'eeeeeeee']

let stage: EmulatedStage
beforeEach(async () => {
  stage = await startEmulatedStage(prod.template)
})
afterEach(() => stage.aws.stop())

async function deployWhole(...releases: string[]) {
  for (const release of releases) {
    expect(await stage.deploy(release)).toBeUndefined()
    if (stage.state().includes('UPDATE_IN_PROGRESS')) stage.endShift()
  }
}

const rollback = async (...args: string[]) => {
  const { code, output, errors } = await runCommand('rollback', ['--stage', 'prod', ...args], {
    env: {
      AWS_ENDPOINT_URL: stage.aws.baseUrl,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
  })
  return { code, said: output + errors }
}

describe('a rollback leads only to a release that has served all traffic and was not left', () => {
  test('a release that was left is not led back to, when the release after it is bad', async () => {
    await deployWhole(A, B)
    expect(stage.state()).toBe(`alias ${B}, versions ${A} ${B}, stack ${B} UPDATE_COMPLETE`)
    await rollback()
    expect(stage.state()).toBe(`alias ${A}, versions ${A} ${B}, stack ${B} UPDATE_COMPLETE`)
    await deployWhole(C)
    expect(stage.state()).toBe(`alias ${C}, versions ${A} ${B} ${C}, stack ${C} UPDATE_COMPLETE`)

    expect((await rollback()).code).toBe(0)
    expect(stage.state()).toBe(`alias ${A}, versions ${A} ${B} ${C}, stack ${C} UPDATE_COMPLETE`)
    await expect(stage.deploy(C)).rejects.toThrow('The stack already has this release')
    expect((await rollback('--to', B)).said).toContain(
      `--to must name one release that has served all traffic and has not been rolled back since, but ${B} does not`,
    )
    expect((await rollback('--to', 'stack')).code).toBe(0)
    expect(stage.state()).toBe(`alias ${C}, versions ${A} ${B} ${C}, stack ${C} UPDATE_COMPLETE`)
  })

  test('a release whose shift was stopped is not led to, in the middle of the next shift', async () => {
    await deployWhole(A, B)
    await stage.deploy(C)
    expect(stage.state()).toBe(`alias ${B}+${C}, versions ${A} ${B} ${C}, stack ${C} UPDATE_IN_PROGRESS`)
    stage.undo()
    expect(stage.state()).toBe(`alias ${B}, versions ${A} ${B}, stack ${B} UPDATE_ROLLBACK_COMPLETE`)
    await stage.deploy(D)
    expect(stage.state()).toBe(`alias ${B}+${D}, versions ${A} ${B} ${D}, stack ${D} UPDATE_IN_PROGRESS`)

    expect((await rollback()).said).toContain('Stopped 1 traffic shift')
    expect(stage.state()).toBe(`alias ${B}, versions ${A} ${B} ${D}, stack ${D} UPDATE_IN_PROGRESS`)
    stage.undo()
    expect(stage.state()).toBe(`alias ${B}, versions ${A} ${B}, stack ${B} UPDATE_ROLLBACK_COMPLETE`)
  })

  test('in doubt it moves nothing, once CodeDeploy has led the traffic back', async () => {
    await deployWhole(A, B)
    await stage.deploy(C)
    stage.leadBack()
    const ledBack = `alias ${B}, versions ${A} ${B} ${C}, stack ${C} UPDATE_IN_PROGRESS`
    expect(stage.state()).toBe(ledBack)
    const { code, said } = await rollback()
    expect({ code, state: stage.state() }).toEqual({ code: 0, state: ledBack })
    expect(said).toContain('All traffic had already been shifted back')

    stage.undo()
    const undone = `alias ${B}, versions ${A} ${B}, stack ${B} UPDATE_ROLLBACK_COMPLETE`
    expect(stage.state()).toBe(undone)
    const again = await rollback()
    expect(stage.state()).toBe(undone)
    expect(again.said).toMatch(
      new RegExp(
        `with --to:\\n  ${A} \\(blockchain-events-prod-userEvents 1\\), 1\\.\\S+, published 2026-11-01T00:01 UTC`,
      ),
    )
    expect((await rollback('--to', A)).code).toBe(0)
    expect(stage.state()).toBe(`alias ${A}, versions ${A} ${B}, stack ${B} UPDATE_ROLLBACK_COMPLETE`)
  })

  test('a release that was deployed twice leads to what served before it, and never round in a circle', async () => {
    await deployWhole(A, B)
    await rollback()
    await deployWhole(A)
    expect(stage.state()).toBe(`alias ${A}, versions ${A} ${B} ${A}, stack ${A} UPDATE_COMPLETE`)

    const { code, said } = await rollback()
    expect({ code, state: stage.state() }).toEqual({
      code: 1,
      state: `alias ${A}, versions ${A} ${B} ${A}, stack ${A} UPDATE_COMPLETE`,
    })
    expect(said).toContain('No release is known to have served all traffic')
  })
})

const REASON =
  /userEvents \d fails: Runtime.ImportModuleError: Cannot find module \(log group \/aws\/lambda\//

test.each([
  ['step by step', []],
  ['at once', ['atOnce=true']],
])(
  'a bundle that does not load gets no traffic, and a release whose shift was stopped is deployed again, %s',
  async (_, param) => {
    await deployWhole(A)
    stage.broken.add(C)
    expect(await stage.deploy(C, ...param)).toMatch(REASON)
    expect(stage.state()).toBe(`alias ${A}, versions ${A}, stack ${A} UPDATE_ROLLBACK_COMPLETE`)
    await stage.deploy(B)
    stage.undo()
    expect(stage.state()).toBe(`alias ${A}, versions ${A}, stack ${A} UPDATE_ROLLBACK_COMPLETE`)

    expect(await stage.deploy(B, ...param)).toBeUndefined()
    if (param.length === 0) stage.endShift()
    expect(stage.state()).toBe(`alias ${B}, versions ${A} ${B}, stack ${B} UPDATE_COMPLETE`)
    expect((await rollback()).code).toBe(0)
    expect(stage.state()).toBe(`alias ${A}, versions ${A} ${B}, stack ${B} UPDATE_COMPLETE`)

    // A deployment after a rollback moves all traffic at once.
    expect(await stage.deploy(C)).toMatch(REASON)
    expect(stage.state()).toBe(`alias ${A}, versions ${A} ${B}, stack ${B} UPDATE_ROLLBACK_COMPLETE`)
    await deployWhole(D, E)
    expect(stage.state()).toBe(`alias ${E}, versions ${A} ${B} ${D} ${E}, stack ${E} UPDATE_COMPLETE`)
  },
)

describe('a rollback in the middle of a shift', () => {
  const KEYS = ['userEvents', 'tokenEvents', 'changes']
  const changing = () => stage.aws.calls.filter(({ name }) => /^(Stop|Update)/.test(name))

  beforeEach(async () => {
    await deployWhole(A)
    await stage.deploy(B)
    stage.aws.calls.length = 0
  })

  test('asks the target, stops the shift, then leads all three aliases back and takes their weights away', async () => {
    const { code, said } = await rollback()
    const asked = stage.aws.calls.filter(({ name }) => name === 'Invoke')

    expect(code).toBe(0)
    expect(asked.map(({ input }) => [input.Qualifier, input.smoke])).toEqual(KEYS.map(() => ['1', true]))
    expect(stage.aws.calls.findLastIndex(({ name }) => name === 'Invoke')).toBeLessThan(
      stage.aws.calls.findIndex(({ name }) => name === 'StopDeployment'),
    )
    const [stop, ...updates] = changing()
    expect(stop).toEqual({
      name: 'StopDeployment',
      input: { deploymentId: 'd-1', autoRollbackEnabled: false },
    })
    const leadBack = { Name: 'live', FunctionVersion: '1', RoutingConfig: { AdditionalVersionWeights: {} } }
    expect(updates.map(({ input }) => input.FunctionName).sort()).toEqual(
      KEYS.map(key => `blockchain-events-prod-${key}`).sort(),
    )
    for (const { input } of updates) expect(input).toMatchObject(leadBack)
    expect(said).toMatch(
      new RegExp(
        `prod-userEvents: all traffic was shifted from version 1 to version 1 \\(release ${A}, 1\\.\\S+\\)`,
      ),
    )
    expect(said).toContain('aws cloudformation wait stack-rollback-complete')
  })

  test.each<[string, string, (usual: object) => object, string]>([
    [
      'the table is gone',
      'DescribeTable',
      () => ({ error: 'ResourceNotFoundException', message: 'None' }),
      'There is no table blockchain-events-prod in this AWS account and region',
    ],
    [
      'the roles do not cover the table',
      'ListVersionsByFunction',
      usual =>
        JSON.parse(
          JSON.stringify(usual).replaceAll(
            '"EVENTS_TABLE":"blockchain-events-prod"',
            '"EVENTS_TABLE":"other"',
          ),
        ),
      'give no access to other, which the target version reads. To move the stage back to that table, run npm run restore for this stage, with --table other',
    ],
    [
      'a version fails',
      'Invoke',
      () => ({ errorType: 'TableFormatError', errorMessage: 'Another form' }),
      'fails its smoke check: TableFormatError: Another form',
    ],
  ])('changes nothing where %s, unless it is told so', async (_, operation, change, problem) => {
    const { [operation]: usual } = stage.answers
    stage.answers[operation] = call => change(usual?.(call) ?? {})
    const { code, said } = await rollback()

    expect(code).toBe(1)
    expect(said).toContain(problem)
    expect(said).toContain('Nothing was changed, because the target version would fail')
    expect(said).not.toMatch(/unchecked|skip/)
    expect(changing()).toEqual([])
    expect((await rollback('--skip-check-and-risk-an-outage')).code).toBe(0)
    expect(changing()).toHaveLength(4)
  })

  test('continues where a smoke check finds nothing, because no version finds more', async () => {
    stage.answers.Invoke = () => ({ errorType: 'SmokeCheckFailed', errorMessage: 'nothing' })

    expect((await rollback()).code).toBe(0)
  })
})

test('a rollback says what to do in a stage without versions', async () => {
  stage.answers.GetTemplate = () => ({ TemplateBody: JSON.stringify({ Resources: {} }) })

  expect((await rollback()).said).toContain('because its setting trafficShift is none: check out the commit')
})
