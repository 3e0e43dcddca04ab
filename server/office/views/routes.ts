import * as contract from '#contract/office/views.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { countViews, deleteView, insertView, selectViews } from './queries.ts'

const VIEWS_AT_MOST = 20

/** Saved views are each person's own. */
export function registerViews(server: ApiServer): void {
  const { db, now } = server.shop

  serve(server, contract.listViews, async ({ params: { list }, staff: { staffId } }) => ({
    views: await selectViews(db, { staffId, list }, VIEWS_AT_MOST),
  }))
  serve(
    server,
    contract.saveView,
    async ({ params: { list }, body: { name, search }, staff: { staffId } }) => {
      if ((await countViews(db, { staffId, list })) >= VIEWS_AT_MOST)
        throw refused(`A list has at most ${VIEWS_AT_MOST} saved views. Remove one first.`)
      const view = await insertView(db, { staffId, list, name: name.trim(), search, createdAt: now() })
      return { id: view.id, name: view.name, search: view.search }
    },
  )
  serve(server, contract.removeView, async ({ params: { id, list }, staff: { staffId } }) => {
    if (!(await deleteView(db, { id, list, staffId }))) throw notFound()
    return undefined
  })
}
