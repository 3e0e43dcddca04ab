import { removeUser } from '#session/log-out.ts'
import { toast } from '#ui/toast.ts'

/** This device was logged out from another one or by the shop, or the account was deleted: remove what it holds. */
export function whenRemovedElsewhere(ownerUuid: string | undefined): void {
  toast('This device was logged out from elsewhere, so we’ve removed your downloads and data from it.')
  void removeUser(ownerUuid)
}
