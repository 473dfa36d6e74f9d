import type { Store } from '../store/store.ts'
import type { Budgets } from '../listings/catch-up.ts'
import type { CatchUp } from '../listings/catch-up.ts'
import type { OrderIndexes } from '../listings/order-index.ts'
import type { SupersededItems } from '../listings/superseded-items.ts'

/** The dependencies of reading a view, beside its definition. */
export type ReadContext = {
  store: Store
  catchUp: CatchUp
  indexes: OrderIndexes
  superseded: SupersededItems
  budgets: Budgets
}
