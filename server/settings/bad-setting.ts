/** A setting that cannot be used; the message says which one and what to do. */
export class BadSetting extends Error {}
