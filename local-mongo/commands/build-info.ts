// Which MongoDB this server speaks like.

/** The version of MongoDB whose behaviour is implemented. */
export const VERSION = '8.0.0'
/** Goes with the version: 25 is MongoDB 8.0. */
export const MAX_WIRE_VERSION = 25
/** The module by which a client knows this engine. */
export const MODULE = 'keelson-local'
/** The name of the one-member replica set. */
export const SET_NAME = 'keelson'
