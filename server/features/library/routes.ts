import { PAGE_SIZE } from '#contract/limits.ts'
import { listLibraries } from '#contract/library.ts'
import { hydraList, pageOf } from '#contract/calculations/hydra-list.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { listLibrary } from './service.ts'

export function registerLibrary(server: ApiServer): void {
  serve(server, listLibraries, async ({ caller, countries, query, url }) => {
    const page = pageOf(query, PAGE_SIZE.library)
    const { entries, total } = await listLibrary(server.shop, { caller, countries }, page)
    return hydraList({ type: 'Library', url, members: entries, total, ...page })
  })
}
