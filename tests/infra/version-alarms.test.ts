import { useVariant } from '../support/programs/stage-variants.ts'

const prod = useVariant('prod')

const PARTS = ['UserEvents', 'TokenEvents', 'Changes']
const propertiesOf = (name: string) => prod.template.Resources[name]?.Properties ?? {}

/** The logical name of an alias's version. */
function versionOf(part: string): string {
  const { FunctionVersion } = propertiesOf(`${part}LiveAlias`) as {
    FunctionVersion: { 'Fn::GetAtt': string[] }
  }
  return FunctionVersion['Fn::GetAtt'][0] ?? ''
}

test.each(PARTS)(
  'the alarm of a new version of %s looks at the version that the alias will lead to',
  part => {
    const text = JSON.stringify(propertiesOf(`${part}VersionAlarm`))

    expect(prod.template.Resources).toHaveProperty(versionOf(part))
    expect(text).toContain(
      `{"Name":"ExecutedVersion","Value":{"Fn::GetAtt":["${versionOf(part)}","Version"]}}`,
    )
    expect(text).toContain(`:",{"Fn::GetAtt":["${versionOf(part)}","Version"]}`)
  },
)

test('no traffic moves before the new version has been asked, and is watched', () => {
  for (const part of PARTS) {
    const alias = prod.template.Resources[`${part}LiveAlias`]

    expect(alias).toMatchObject({
      DependsOn: expect.arrayContaining([
        `${part}VersionAlarm`,
        'VersionLatencyAlarm',
        'CheckVersionLambdaFunction',
      ]),
      UpdatePolicy: {
        CodeDeployLambdaAliasUpdate: { BeforeAllowTrafficHook: { Ref: 'CheckVersionLambdaFunction' } },
      },
    })
    expect(JSON.stringify(propertiesOf(`${part}TrafficShift`).AlarmConfiguration)).toContain(
      `${part}VersionAlarm`,
    )
  }
})

test('the new versions are asked what the schedules ask', () => {
  const { Environment } = propertiesOf('CheckVersionLambdaFunction') as {
    Environment: { Variables: Record<string, unknown> }
  }
  const asked = { USER_EVENTS: 'UserEvents', TOKEN_EVENTS: 'TokenEvents', CHANGES: 'Changes' }
  for (const [name, part] of Object.entries(asked)) {
    const { Targets } = propertiesOf(`${part}EventsRuleSchedule1`) as { Targets: { Input: string }[] }

    expect(Environment.Variables).toMatchObject({
      [`${name}_VERSION`]: { Ref: versionOf(part) },
      [`${name}_PAYLOAD`]: Targets[0]?.Input,
    })
  }
})
