import { portNamedTwice, wantedPorts } from '../../../infra/local/start/ports.ts'

const portsOf = (given: Parameters<typeof wantedPorts>[0]) => {
  const { dynamodbPort, lambdaPort } = wantedPorts(given)
  return [dynamodbPort, lambdaPort].map(({ port, isNamed }) => (isNamed ? `named ${port}` : port))
}

test.each([
  ['the default ports if the API has its default port', { port: 3000 }, [8000, 9000]],
  ['ports at the same distance from another port of the API', { port: 4020 }, [9020, 10_020]],
  ['the named ports', { port: 3000, dynamodbPort: 1, lambdaPort: 2 }, ['named 1', 'named 2']],
  ['no port that another part is given', { port: 3000, lambdaPort: 8000 }, [0, 'named 8000']],
  ['no port that the system may give to other programs', { port: 27_000 }, [32_000, 0]],
  ['no port that does not exist', { port: 65_000 }, [0, 0]],
])('DynamoDB and Lambda use %s', (_, given, ports) => {
  expect(portsOf(given)).toEqual(ports)
})

test.each([
  [{ port: 3000, dynamodbPort: 3000 }, '--port and --dynamodb-port are both 3000, but must differ'],
  [{ port: 2, dynamodbPort: 1, lambdaPort: 1 }, '--dynamodb-port and --lambda-port are both 1, but must'],
])('the problem with %j is: %s', (given, sentence) => {
  expect(portNamedTwice(given)).toContain(sentence)
})
