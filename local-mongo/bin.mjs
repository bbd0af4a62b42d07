#!/usr/bin/env node
// Starts the command as the build has bundled it.
import './dist/bundled/bin.js'
