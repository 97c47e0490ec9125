module github.com/librobots/librobots/bindings/go/robotstxt

go 1.24

require github.com/librobots/librobots/bindings/go v0.1.0

replace github.com/librobots/librobots/bindings/go => ../
