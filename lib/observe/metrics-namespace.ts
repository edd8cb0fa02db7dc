/** Where CloudWatch keeps the metrics; alarms and dashboard look there. */
export const METRICS_NAMESPACE = 'BlockchainEvents'
