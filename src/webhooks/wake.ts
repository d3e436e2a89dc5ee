// The channel that notifies senders that an endpoint was changed or has something to send.

export const webhooksChannel = 'watchdata_webhooks'
