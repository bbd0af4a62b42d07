#!/usr/bin/env node
// Starts the compiled command.
import './dist/bin.js'
