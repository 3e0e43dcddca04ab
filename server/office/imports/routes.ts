import * as contract from '#contract/office/imports.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectLatestBatch } from './queries.ts'
import type { LoadImporter } from '../importer.ts'
import {
  batchOf,
  confirmBatch,
  correctBatch,
  dropBatch,
  isImport,
  readBatch,
  removeOldImports,
  showBatch,
  startImport,
} from './service.ts'
import { registerUploads } from './uploads.ts'

const CLEAN_MS = 6 * 3_600_000

export function registerOfficeImports(server: ApiServer, importer: LoadImporter): void {
  const { app, shop } = server
  registerUploads(server)
  serve(server, contract.startImport, ({ staff }) => startImport(shop, staff))
  serve(server, contract.latestImport, async ({ staff }) => {
    const batch = await selectLatestBatch(shop.db, staff.staffId)
    return { batch: batch && isImport(batch) ? await showBatch(shop, batch) : null }
  })
  serve(server, contract.getImport, async ({ params: { id }, staff }) =>
    showBatch(shop, await batchOf(shop, staff, id)),
  )
  serve(server, contract.readImport, async ({ params: { id }, staff }) => {
    await readBatch(shop, (await importer()).importUploads, staff, id)
    return {}
  })
  serve(server, contract.correctImport, async ({ params: { id }, body, staff }) => {
    await correctBatch(shop, (await importer()).importUploads, staff, { id, ...body })
    return {}
  })
  serve(server, contract.confirmImport, async ({ params: { id }, body: { folders }, staff }) =>
    confirmBatch(shop, (await importer()).importUploads, staff, { id, folders }),
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
