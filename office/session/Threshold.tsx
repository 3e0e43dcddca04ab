import type { ReactNode } from 'react'
import { Flock } from '#ui/Flock.tsx'
import { LiveRegion } from '#ui/LiveRegion.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { facts } from '../facts.ts'

/** The page outside the office: to sign in, and to accept an invitation. */
export const Threshold = ({ children }: { readonly children: ReactNode }) => (
  <div className="threshold">
    <main id="main">
      <p className="wordmark">
        {facts().name} <em>office</em>
      </p>
      <div className="threshold-form">{children}</div>
      <p className="small muted">
        Looking for your library? <a href="/library">That’s in the shop</a>
      </p>
    </main>
    <div className="threshold-flock" aria-hidden="true">
      <Flock />
    </div>
    <Toaster />
    <LiveRegion />
  </div>
)
