// The channel on which senders are told that an endpoint was changed or has something to send.

export const webhooksChannel = 'watchdata_webhooks'
