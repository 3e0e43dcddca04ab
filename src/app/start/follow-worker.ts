import type { QueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { PageMessage } from '#storage/messages.ts'

/** Replaces in place what the worker gave from its copies, once the server has said something else. */
export function followWorker(
  queryClient: QueryClient,
  worker: Pick<ServiceWorkerContainer, 'addEventListener'> | undefined = navigator.serviceWorker,
): void {
  worker?.addEventListener('message', ({ data }: MessageEvent<PageMessage | undefined>) => {
    if (data?.type === 'SHELF_RENEWED')
      void queryClient.invalidateQueries({ queryKey: ownKey(data.ownerUuid, 'library') })
  })
}
