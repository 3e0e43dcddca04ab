/** A setting that cannot be used. The message names it and says what to do. */
export class BadSetting extends Error {}
