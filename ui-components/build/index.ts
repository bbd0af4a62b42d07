// The public entry of @keelson/ui/build.
export {}
