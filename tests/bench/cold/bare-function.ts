import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

const client = new DynamoDBClient({})

/** The smallest possible function: one Query, whose items it returns unchanged. */
export async function handler({ pathParameters, queryStringParameters }: APIGatewayProxyEventV2) {
  const { Items } = await client.send(
    new QueryCommand({
      TableName: process.env.PLAIN_TABLE,
      IndexName: 'byUser',
      KeyConditionExpression: 'userList = :list',
      ExpressionAttributeValues: { ':list': { S: `user#${pathParameters?.address}` } },
      ScanIndexForward: false,
      Limit: Number(queryStringParameters?.limit),
    }),
  )
  return { statusCode: 200, body: JSON.stringify(Items) }
}
