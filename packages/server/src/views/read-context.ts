import type { Store } from '../store/store.ts'
import type { Budgets } from './answer.ts'
import type { CatchUp } from './catch-up.ts'
import type { OrderIndexes } from '../listings/order-index.ts'

/** What reading a view takes beside its definition. */
export type ReadContext = {
  store: Store
  catchUp: CatchUp
  indexes: OrderIndexes
  budgets: Budgets
}
