// Joins the tables of operations, in the order in which they are shown. The document, the docs page and the tests
// read them.
import { accountOperations } from './account-operations.ts'
import { catalogueOperations } from './catalogue-operations.ts'
import { deliveryOperations } from './delivery-operations.ts'
import { type Operation, toOperation } from './operation.ts'
import { searchOperations } from './search-operations.ts'
import { syncOperations } from './sync-operations.ts'
import { watchOperations } from './watch-operations.ts'
import { webhookOperations } from './webhook-operations.ts'

export const operations: readonly Operation[] = [
  ...watchOperations,
  ...catalogueOperations,
  ...searchOperations,
  ...syncOperations,
  ...webhookOperations,
  ...deliveryOperations,
  ...accountOperations,
].map(toOperation)
