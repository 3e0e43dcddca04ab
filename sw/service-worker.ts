import { workerTokens } from '#device/tokens.ts'
import { exchange } from '#net/send.ts'
import { renewToken } from '#net/refresh.ts'
import { configureNet } from '#net/settings.ts'
import { catalogueDoor } from './catalogue.ts'
import { coverDoor } from './covers.ts'
import { firstAnswer, letWritesPass } from './doors.ts'
import { hearPage } from './hear-page.ts'
import { flushInBackground } from './outbox.ts'
import { assetDoor, installShell, keepReleases, navigationDoor } from './shell.ts'
import { soundDoor } from './sound.ts'

declare const self: ServiceWorkerGlobalScope

configureNet({ tokens: workerTokens, exchange, renew: renewToken })

self.addEventListener('install', installShell(self.__WB_MANIFEST))
self.addEventListener('install', letWritesPass)
self.addEventListener('activate', (event) => event.waitUntil(keepReleases(self)))

// The first that knows an answer gives it; what none knows goes to the network as if there were no worker.
// Sound under /media/ is nobody's: intercepted, it hangs in installed iOS apps (trap 5).
self.addEventListener('fetch', firstAnswer([soundDoor, assetDoor, navigationDoor, coverDoor, catalogueDoor]))

self.addEventListener('message', hearPage(self))
self.addEventListener('sync', flushInBackground)
