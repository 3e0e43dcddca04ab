import type { RedemptionCode } from '#contract/cards.ts'
import { NetProblem } from '#net/problem.ts'
import { type Refused, refusedAs, tryAgainWords, addressOf } from './model.ts'
import { giveBack, letGo, passOn, storeCode, storedCode, welcome } from './store.ts'
import { call } from '#net/call.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ownKey } from '#features/query-keys.ts'
import { currentOwner, currentSession, sessionKnown, useSession } from '#session/store.ts'
import { useState } from 'react'
import type { User } from '#contract/account.ts'

/** The next step after a code, or the form, which still has it. */
type Ending =
  | { readonly step: 'confirmation' | 'welcome' | 'enter' }
  | { readonly step: 'error'; readonly refused: Refused }

interface Reader {
  readonly signedIn: boolean
  /** Refetches the library, also after a failure, because a response may have been lost (RDM-30). */
  readonly reloadLibrary: () => Promise<unknown>
}

/** Redeems a typed code; a visitor's is stored until log-in. */
async function begin(code: string, spiSIN: string | null, reader: Reader): Promise<Ending> {
  try {
    const seen = await seeCode(code, spiSIN)
    if (reader.signedIn) return await finish(code, seen, spiSIN, reader)
    if (seen.redeemed) return refuse(code, 'redeemed')
    storeCode(code, seen, spiSIN)
    return { step: 'confirmation' }
  } catch (problem) {
    return ended(code, problem)
  }
}

/** Redeems after log-in (RDM-24, RDM-25). Look up the code again: only now is it known what the user owns. */
async function goOn(spiSIN: string | null, reloadLibrary: Reader['reloadLibrary']): Promise<Ending> {
  const stored = storedCode()
  if (stored?.spiSIN !== spiSIN) return { step: 'enter' }
  return begin(stored.code, spiSIN, { signedIn: true, reloadLibrary })
}

async function finish(
  code: string,
  seen: RedemptionCode,
  spiSIN: string | null,
  { reloadLibrary }: Reader,
): Promise<Ending> {
  const { audioBook, redeemed, outlet } = seen
  const owned = { code, bookshop: outlet.name, audioBook, spiSIN }
  if (audioBook.inLibrary && !redeemed) return keepForAnother(owned)
  // The title is in the library: perhaps through this card, whose response was lost. The server knows.
  if (redeemed && !audioBook.inLibrary) return refuse(code, 'redeemed')
  try {
    await redeemCode(code, spiSIN)
  } catch (problem) {
    const reason = problem instanceof NetProblem ? problem.reason : undefined
    if (reason === 'already_owned') return keepForAnother(owned)
    if (reason !== 'redeemed_by_you') throw problem
  } finally {
    await reloadLibrary().catch(() => undefined)
  }
  welcome(code, { bookshop: outlet.name, audioBook, spiSIN })
  return { step: 'welcome' }
}

function keepForAnother(owned: Parameters<typeof passOn>[0]): Ending {
  passOn(owned)
  return { step: 'enter' }
}

function refuse(code: string, refused: Refused): Ending {
  letGo(code)
  return { step: 'error', refused }
}

function ended(code: string, problem: unknown): Ending {
  const refused = refusedAs(problem)
  if (refused) return refuse(code, refused)
  giveBack(tryAgainWords(problem))
  return { step: 'enter' }
}

/** Looks up a code. The pages of one title only accept codes of that title. */
const seeCode = (code: string, spiSIN: string | null): Promise<RedemptionCode> =>
  spiSIN === null
    ? call('GET /api/audiobook-cards/{code}/card-apply-code', { params: { code } })
    : call('GET /api/redemption_codes/{code}', { params: { code }, query: { spiSIN } })

const redeemCode = (code: string, spiSIN: string | null): Promise<RedemptionCode> =>
  spiSIN === null
    ? call('POST /api/audiobook-cards/redeem', { body: { token: code } })
    : call('POST /api/redemption_codes/add_to_library_with_code/{code}', {
        params: { code },
        body: { audioBook: { spiSIN } },
      })

/** Redeems a code, and navigates to its outcome. */
export function useRedeem(spiSIN: string | null) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  const reloadLibrary = () => queryClient.invalidateQueries({ queryKey: ownKey(currentOwner()) })
  const lead = (ending: Ending, replace: boolean) => {
    // Already at the form.
    if (ending.step === 'enter' && !replace) return undefined
    const state = ending.step === 'error' ? { refusedCode: ending.refused } : {}
    return navigate({ ...addressOf({ step: ending.step, spiSIN }), state, replace })
  }
  return {
    redeem: async (code: string) => {
      await sessionKnown()
      const signedIn = currentSession().status === 'user'
      await lead(await begin(code, spiSIN, { signedIn, reloadLibrary }), false)
    },
    /** Redeems the stored code after log-in; replaces the log-in step in the history. */
    redeemKept: async () => lead(await goOn(spiSIN, reloadLibrary), true),
  }
}

/**
 * Logs in and redeems the stored code; a bookshop's account goes to its point of sale instead (RDM-16). `alreadyIn` is
 * false for a log-in that started here, because the screen renders once more before it navigates (RDM-05, RDM-06).
 */
export function useLogInToRedeem(spiSIN: string | null) {
  const navigate = useNavigate()
  const { redeemKept } = useRedeem(spiSIN)
  const [coming, setComing] = useState(false)
  const signedIn = useSession((state) => state.ready && state.status === 'user')

  const comeIn = async (open: () => Promise<User>) => {
    setComing(true)
    let user: User
    try {
      user = await open()
    } catch (problem) {
      setComing(false)
      throw problem
    }
    await (user.outlet ? navigate({ to: '/activation', replace: true }) : redeemKept())
  }
  return { alreadyIn: signedIn && !coming, comeIn }
}
