import { getCatalogueIndex, type CatalogueIndex } from '#contract/catalogue-index.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { catalogueCache } from '../../caches.ts'
import { readerOf } from '../catalogue/service.ts'
import { indexOf } from './service.ts'

/** One per country, some megabytes each. */
const indexes = catalogueCache<CatalogueIndex>(4)

export function registerCatalogueIndex(server: ApiServer): void {
  const { shop } = server
  // Always use the visitor’s view: devices keep the index after a log-out.
  serve(server, getCatalogueIndex, async ({ countries }) => {
    const reader = await readerOf(shop, { caller: null, countries })
    return indexes(shop).of(countries.join(' '), () => indexOf(shop, reader))
  })
}
