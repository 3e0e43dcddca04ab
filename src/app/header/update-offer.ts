import { create } from 'zustand'
import type { TakeOver } from '#storage/update.ts'

/** A new release waits for the user's consent. Cleared by "Not now" until the next start. */
export const useUpdateOffer = create<{ takeOver: TakeOver | undefined }>()(() => ({ takeOver: undefined }))
export const offerUpdate = (takeOver: TakeOver | undefined): void => useUpdateOffer.setState({ takeOver })
