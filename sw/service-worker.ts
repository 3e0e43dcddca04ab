import { workerTokens } from '#storage/tokens.ts'
import { exchange } from '#net/send.ts'
import { renewToken } from '#net/refresh.ts'
import { configureNet } from '#net/settings.ts'
import { handleCatalogue } from './api-answers.ts'
import { handleCover } from './covers.ts'
import { answerFirst, letWritesBypass } from './request-handler.ts'
import { followPage } from './follow-page.ts'
import { flushInBackground } from './outbox.ts'
import { handleAsset, installShell, trimReleases, handleNavigation } from './shell.ts'
import { handleSound } from './sound.ts'

declare const self: ServiceWorkerGlobalScope

configureNet({ tokens: workerTokens, exchange, renew: renewToken })

self.addEventListener('install', installShell(self.__WB_MANIFEST))
self.addEventListener('install', letWritesBypass)
self.addEventListener('activate', (event) => event.waitUntil(trimReleases(self)))

/**
 * The first handler with an answer wins; all other requests use the network as if there were no worker. Don't
 * handle sound under /media/: if intercepted, it hangs in installed iOS apps (trap 5).
 */
self.addEventListener(
  'fetch',
  answerFirst([handleSound, handleAsset, handleNavigation, handleCover, handleCatalogue]),
)

self.addEventListener('message', followPage(self))
self.addEventListener('sync', flushInBackground)
