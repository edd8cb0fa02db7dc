/** The CloudWatch namespace of all metrics. The alarms and the dashboard refer to it. */
export const METRICS_NAMESPACE = 'BlockchainEvents'
