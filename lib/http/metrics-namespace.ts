/** The CloudWatch namespace of the metrics. The alarms and the dashboard use this namespace. */
export const METRICS_NAMESPACE = 'BlockchainEvents'
