import * as contract from '#contract/office/imports.ts'
import { unavailable } from '../../http/http-errors.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectLatestBatch } from './queries.ts'
import {
  batchOf,
  confirmBatch,
  dropBatch,
  type ImportUploads,
  readBatch,
  removeOldImports,
  showBatch,
  startImport,
} from './service.ts'
import { registerUploads } from './uploads.ts'

const CLEAN_MS = 6 * 3_600_000

export function registerOfficeImports(server: ApiServer, importUploads: ImportUploads | undefined): void {
  const { app, shop } = server
  const importer = (): ImportUploads => {
    if (!importUploads) throw unavailable(60)
    return importUploads
  }
  registerUploads(server)
  serve(server, contract.startImport, ({ staff }) => startImport(shop, staff))
  serve(server, contract.latestImport, async ({ staff }) => {
    const batch = await selectLatestBatch(shop.db, staff.staffId)
    return { batch: batch ? await showBatch(shop, batch) : null }
  })
  serve(server, contract.getImport, async ({ params: { id }, staff }) =>
    showBatch(shop, await batchOf(shop, staff, id)),
  )
  serve(server, contract.readImport, async ({ params: { id }, staff }) => {
    await readBatch(shop, importer(), staff, id)
    return {}
  })
  serve(server, contract.confirmImport, ({ params: { id }, body: { folders }, staff }) =>
    confirmBatch(shop, importer(), staff, { id, folders }),
  )
  serve(server, contract.dropImport, async ({ params: { id }, staff }) => {
    await dropBatch(shop, staff, id)
    return undefined
  })
  // Each server cleans its own disk.
  const cleaning = setInterval(
    () =>
      void removeOldImports(shop).catch((error: unknown) =>
        shop.log.warn({ err: error }, 'old uploads could not be removed'),
      ),
    CLEAN_MS,
  )
  cleaning.unref()
  app.addHook('onClose', async () => clearInterval(cleaning))
}
