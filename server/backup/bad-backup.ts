/** A backup that cannot be made, read or restored; the message is one sentence that says why and what to do. */
export class BadBackup extends Error {}

export class DamagedBackup extends BadBackup {
  constructor() {
    super('This backup is damaged or was cut short. Use another one; nothing was restored from it.')
  }
}
