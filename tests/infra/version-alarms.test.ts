import { useVariant } from '../support/programs/stage-variants.ts'

const prod = useVariant('prod')

const GROUPS = { UserEvents: 'user-events', TokenEvents: 'token-events', Changes: 'changes' }
const PARTS = Object.keys(GROUPS)
const propertiesOf = (name: string) => prod.template.Resources[name]?.Properties ?? {}

function versionOf(part: string): string {
  const { FunctionVersion } = propertiesOf(`${part}LiveAlias`) as {
    FunctionVersion: Record<string, string[]>
  }
  return FunctionVersion['Fn::GetAtt']?.[0] ?? ''
}

test.each(PARTS)(
  'the alarm of a new version of %s looks at the version that the alias will lead to',
  part => {
    const text = JSON.stringify(propertiesOf(`${part}VersionAlarm`))

    expect(prod.template.Resources).toHaveProperty(versionOf(part))
    const version = `{"Fn::GetAtt":["${versionOf(part)}","Version"]}`
    expect(text).toContain(`{"Name":"ExecutedVersion","Value":${version}}`)
    expect(text).toContain(`:",${version}`)
  },
)

test('traffic moves step by step, once the new version has been asked and is watched, and back when an alarm fires', () => {
  for (const [part, DeploymentGroupName] of Object.entries(GROUPS)) {
    const { AlarmConfiguration, ...group } = propertiesOf(`${part}TrafficShift`)
    const { Alarms } = AlarmConfiguration as { Alarms: object[] }
    const shift = {
      ApplicationName: { Ref: 'TrafficShift' },
      DeploymentGroupName: { Ref: `${part}TrafficShift` },
    }

    expect(prod.template.Resources[`${part}LiveAlias`]).toMatchObject({
      Type: 'AWS::Lambda::Alias',
      DependsOn: expect.arrayContaining([`${part}VersionAlarm`, 'VersionLatencyAlarm', checkName()]),
      Properties: { Name: 'live', FunctionName: { Ref: `${part}LambdaFunction` } },
      UpdatePolicy: { CodeDeployLambdaAliasUpdate: shift },
    })
    expect(group).toMatchObject({
      DeploymentGroupName,
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent15Minutes',
      AutoRollbackConfiguration: { Enabled: true },
    })
    expect(Alarms).toContainEqual({ Name: { Ref: `${part}VersionAlarm` } })
    // https://docs.aws.amazon.com/codedeploy/latest/APIReference/API_AlarmConfiguration.html
    expect(Alarms.length).toBeLessThanOrEqual(10)
  }
})

const checkName = () =>
  Object.keys(prod.template.Resources).find(name => name.startsWith('LambdaVersionCheck')) ?? ''

test('the new versions of each release are asked what the schedules ask, before any policy decides how traffic moves', () => {
  expect(prod.template.Resources[checkName()]).toMatchObject({ Type: 'AWS::CloudFormation::CustomResource' })
  expect(propertiesOf(checkName())).toEqual({
    ServiceToken: { 'Fn::GetAtt': ['CheckVersionLambdaFunction', 'Arn'] },
    ServiceTimeout: 120,
    questions: PARTS.map(part => {
      const { Targets } = propertiesOf(`${part}EventsRuleSchedule1`) as { Targets: { Input: string }[] }
      return {
        functionName: { Ref: `${part}LambdaFunction` },
        qualifier: { 'Fn::GetAtt': [versionOf(part), 'Version'] },
        payload: Targets[0]?.Input,
      }
    }),
  })
  expect(versionOf('UserEvents')).toBe(`UserEvents${checkName().replace('Check', '')}`)
})

test('the versions of an undone release vanish with it, and every version inherits the release from its function', () => {
  for (const part of PARTS) {
    const { DeletionPolicy, Properties } = prod.template.Resources[versionOf(part)] ?? {}

    expect(DeletionPolicy).toBe('RetainExceptOnCreate')
    expect(Properties).not.toHaveProperty('Description')
    expect(propertiesOf(`${part}LambdaFunction`).Description).toMatch(
      new RegExp(
        `\\. Release ${checkName().slice(-8)} of \\d+\\.\\d+\\.\\d+\\+(without-git|\\d{4}-\\d\\d-\\d\\d\\.[\\da-f]{12}(\\.modified)?)$`,
      ),
    )
  }
})
